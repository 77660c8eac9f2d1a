-- outside a transaction: each statement can be repeated, and nobody waits for it

-- DSK-10: a keyed hash of the recipient of a mail or text message, once a try of it has failed; empty if the message cannot be read. A job
-- fills it for what nodes of the previous version have tried.
begin; set local lock_timeout = '300ms';
alter table outbox add column if not exists recipient_index bytea;
commit;

drop index concurrently if exists outbox_by_recipient;

create index concurrently outbox_by_recipient on outbox (recipient_index) where recipient_index is not null;

-- Messages whose keyed hash is missing, for the job.
drop index concurrently if exists outbox_without_recipient;

create index concurrently outbox_without_recipient on outbox (id)
  where recipient_index is null and failure is not null and channel in ('mail', 'sms') and (outcome is null or outcome = 'dead');

-- DSK-37: codes by the beginning of their id.
drop index concurrently if exists voucher_codes_by_id;

create index concurrently voucher_codes_by_id on voucher_codes (provider_id collate "C");

-- DSK-37: used codes alone, among many that are not.
drop index concurrently if exists voucher_codes_used;

create index concurrently voucher_codes_used on voucher_codes (created_at desc, provider_id) where used_at is not null;

-- DSK-38: tasks in the order in which they are listed.
drop index concurrently if exists renewals_waiting_for_identity;

create index concurrently renewals_waiting_for_identity on renewals (updated_at, id)
  where identity_state = 'asked' and state in ('parameters', 'personal-data', 'signing');

drop index concurrently if exists document_cases_waiting_for_check;

create index concurrently document_cases_waiting_for_check on document_cases (updated_at, id) where status = 'subscriber-uploaded';
