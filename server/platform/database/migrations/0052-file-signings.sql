-- Files that a customer signs in the browser (SGN-20): their digests, which one code confirms, and then what was signed. Kept for a day, so
-- that a lost answer can be read again. The files, their names and the certificate are not here.
create table file_signings (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  session_id uuid not null,
  signature_id uuid references signatures on delete cascade,
  seal_id uuid references seals on delete cascade,
  -- Of what the signature in each file covers.
  digests bytea[] not null,
  -- SHA-256 of everything that the code is for: the customer, the certificate, and the digests in their order (R202).
  binding text not null,
  started_at timestamptz not null default portal_now(),
  -- When the code was entered.
  confirmed_at timestamptz,
  -- A request is at the service until then; another one has to wait.
  busy_until timestamptz,
  signed_at timestamptz,
  -- The raw signatures and the timestamps over them, in the order of the digests.
  signatures bytea[],
  timestamps bytea[],
  check (num_nonnulls(signature_id, seal_id) = 1),
  check (num_nulls(signed_at, signatures, timestamps) in (0, 3)),
  check (signed_at is null or confirmed_at is not null)
);
create index file_signings_by_account on file_signings (account_id);
create index file_signings_by_signature on file_signings (signature_id);
create index file_signings_by_seal on file_signings (seal_id);
create index file_signings_by_start on file_signings (started_at);

-- What the service asks of the customer for them. `hash` has the hashes of all files then, separated by commas.
alter table service_authorisations
  add column file_signing_id uuid references file_signings on delete cascade,
  alter column signature_id drop not null,
  drop constraint service_authorisations_check,
  add check (num_nonnulls(case_id, renewal_id, file_signing_id) = 1),
  add check (signature_id is not null or file_signing_id is not null);
create index service_authorisations_by_file_signing on service_authorisations (file_signing_id);
create unique index service_authorisations_open_file_signing on service_authorisations (file_signing_id) where ended_at is null;
