-- outside a transaction: each statement can be repeated, and nobody waits for it

-- The lists of a customer's cases begin with what waits for them (DOC-14, VCH-5). The lists order by the same expressions.
drop index concurrently if exists document_cases_by_urgency;

create index concurrently document_cases_by_urgency on document_cases (account_id,
  (case status when 'passed-to-subscriber' then 2 when 'subscriber-downloaded' then 2 when 'issuer-uploaded' then 1 else 0 end) desc,
  created_at desc, id desc);

drop index concurrently if exists voucher_cases_by_urgency;

create index concurrently voucher_cases_by_urgency on voucher_cases (account_id,
  (case status when 'in-progress' then 1 else 0 end) desc, created_at desc, id desc);
