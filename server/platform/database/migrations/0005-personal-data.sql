-- Who a customer is, as the provider has established it (DAT-1). Sealed as a whole: a dump of the database tells nothing of it (R83).
create table personal_data (
  account_id uuid primary key references accounts on delete cascade,
  sealed bytea not null
);
