alter type operation_verb add value if not exists 'post_capture_void'
