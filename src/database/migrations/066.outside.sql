alter type operation_verb add value if not exists 'authenticate'
