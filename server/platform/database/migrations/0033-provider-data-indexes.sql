-- The indexes of 0031 (PRV-1 … PRV-6), apart from its columns: so nobody who reads waits while they are built.

-- One certificate is filed under one id.
create unique index signatures_by_certificate on signatures (certificate_index);
create unique index seals_by_certificate on seals (certificate_index);

-- The search for a customer.
create index accounts_by_phone on accounts (phone_index, id);
create index personal_data_by_identifier on personal_data (identifier_index, account_id);
create index signatures_by_identifier on signatures (identifier_index, account_id);

-- Rows whose keyed hash is missing, for the job.
create index signatures_without_index on signatures (id) where certificate_index is null;
create index seals_without_index on seals (id) where certificate_index is null;
create index accounts_without_index on accounts (id) where phone_index is null;
create index personal_data_without_index on personal_data (account_id) where identifier_index is null;

-- The provider's lists, by customer and by status.
create index signatures_by_customer on signatures (account_id, id);
create index signatures_by_status on signatures (status, id);
create index seals_by_status on seals (status, id);
create index timestamp_accounts_by_customer on timestamp_accounts (account_id, id);
create index timestamp_accounts_by_status on timestamp_accounts (active, id);
create index document_cases_by_customer on document_cases (account_id, id);
create index voucher_cases_by_customer on voucher_cases (account_id, id);
