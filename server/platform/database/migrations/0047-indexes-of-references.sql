-- outside a transaction: each statement can be repeated, and nobody waits for it

-- The reference of a row is checked when the row that it names goes, which without an index reads the whole table (OPS-7).
drop index concurrently if exists renewals_of_signature;

create index concurrently renewals_of_signature on renewals (signature_id);

drop index concurrently if exists renewals_of_code;

create index concurrently renewals_of_code on renewals (code_id);

drop index concurrently if exists document_cases_of_document;

create index concurrently document_cases_of_document on document_cases (document_file) where document_file is not null;

drop index concurrently if exists document_cases_of_signed_document;

create index concurrently document_cases_of_signed_document on document_cases (signed_file) where signed_file is not null;

drop index concurrently if exists document_cases_of_upload;

create index concurrently document_cases_of_upload on document_cases (upload_file) where upload_file is not null;

drop index concurrently if exists outbox_of_webhook;

create index concurrently outbox_of_webhook on outbox (webhook_id) where webhook_id is not null;

-- Of every state, so that it also serves the reference.
drop index concurrently if exists seal_users_of_account;

create index concurrently seal_users_of_account on seal_users (account_id, seal_id);

drop index concurrently if exists seal_users_by_account;

drop index concurrently if exists data_exports_by_age;

create index concurrently data_exports_by_age on data_exports (coalesce(made_at, requested_at));

-- Codes of sign-ins are found by their session, and written the most often.
drop index concurrently if exists codes_by_object;

create index concurrently codes_by_object on codes (object) where purpose <> 'sign-in';

drop index concurrently if exists codes_of_activations;
