alter type operation_verb add value if not exists 'cancel_payout'
