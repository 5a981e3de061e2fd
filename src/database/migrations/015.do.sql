-- What the deployment makes of what processors say (contract 6.6, "GSM"): unified codes, and whether another connector is tried. Of no merchant: merchant_id is '@deployment', which no merchant can be called.
create table gsm_rules (
  merchant_id text collate "C" not null,
  rule_id text collate "C" not null,
  version int not null,
  connector text collate "C" not null,
  flow text collate "C" not null,
  sub_flow text collate "C" not null,
  code text collate "C" not null,
  message text collate "C" not null,
  status text not null,
  router_error text,
  decision text collate "C" not null check (decision in ('retry', 'do_default')),
  step_up_possible boolean not null,
  clear_pan_possible boolean not null,
  alternate_network_possible boolean not null,
  unified_code text,
  unified_message text,
  error_category text collate "C",
  standardised_code text collate "C",
  description text,
  user_guidance_message text,
  deleted boolean not null,
  created timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  primary key (merchant_id, rule_id)
);

-- A starting set, for the sandbox's processor. It is the operator's from here on.
insert into gsm_rules
select '@deployment', encode(sha256(convert_to(array_to_json(array['phonypay', 'Payment', 'Authorize', code, message])::text, 'UTF8')), 'hex'), 1,
  'phonypay', 'Payment', 'Authorize', code, message, 'Failure', null, decision, step_up, false, false, family, words, category, standardised, null, guidance, false,
  '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'
from (values
  ('card_declined', 'The card was declined.', 'retry', false, 'UE_1000', 'The payment method was refused. Try another one, or contact its issuer.', 'soft_decline', 'do_not_honor',
    'Try another card, or ask your bank.'),
  ('processing_error', 'The issuer could not process the card.', 'retry', false, 'UE_3000', 'The processor had a technical problem. Try again later.', 'processor_downtime', 'issuer_unavailable',
    'Try again in a moment.'),
  ('insufficient_funds', 'The card has insufficient funds.', 'do_default', false, 'UE_1000', 'The payment method was refused. Try another one, or contact its issuer.', 'soft_decline', 'insufficient_funds',
    'Pay with another card.'),
  ('lost_card', 'The card was reported lost.', 'do_default', false, 'UE_1000', 'The payment method was refused. Try another one, or contact its issuer.', 'hard_decline', 'card_lost_or_stolen',
    'Pay with another card.'),
  ('stolen_card', 'The card was reported stolen.', 'do_default', false, 'UE_1000', 'The payment method was refused. Try another one, or contact its issuer.', 'hard_decline', 'card_lost_or_stolen',
    'Pay with another card.'),
  ('expired_card', 'The card has expired.', 'do_default', false, 'UE_1000', 'The payment method was refused. Try another one, or contact its issuer.', 'issue_with_payment_method', 'invalid_expiry_date',
    'Check the expiry date, or pay with another card.'),
  ('incorrect_cvc', 'The security code is incorrect.', 'do_default', false, 'UE_1000', 'The payment method was refused. Try another one, or contact its issuer.', 'issue_with_payment_method', 'invalid_cvv',
    'Check the security code.'),
  ('authentication_required', 'The issuer asks for 3-D Secure.', 'do_default', true, 'UE_1000', 'The payment method was refused. Try another one, or contact its issuer.', 'issue_with_payment_method',
    'authentication_required', 'Confirm the payment with your bank.'),
  ('authentication_failed', 'The shopper did not pass 3-D Secure.', 'do_default', false, 'UE_1000', 'The payment method was refused. Try another one, or contact its issuer.', 'issue_with_payment_method',
    'authentication_failed', 'Try again, or pay with another card.')
) as rules (code, message, decision, step_up, family, words, category, standardised, guidance);
