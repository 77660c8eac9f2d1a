-- Documents that customers sign.

-- DOC-2: no other order is possible, for any caller. The table is contract/documents.ts' documentMoves, and a test compares them.
create function refuse_document_move() returns trigger language plpgsql as $$
begin
  if new.status = old.status or (old.status, new.status) in (
    ('passed-to-subscriber', 'subscriber-downloaded'), ('passed-to-subscriber', 'canceled'),
    ('subscriber-downloaded', 'subscriber-uploaded'), ('subscriber-downloaded', 'canceled'),
    ('subscriber-uploaded', 'issuer-uploaded'), ('subscriber-uploaded', 'canceled'),
    ('issuer-uploaded', 'finished'), ('issuer-uploaded', 'canceled')
  ) then
    return new;
  end if;
  raise exception 'a document case cannot go from % to %', old.status, new.status using errcode = 'check_violation';
end $$;

-- A document that the provider passes to a customer to be signed (DOC-1, DOC-2).
create table document_cases (
  id uuid primary key default gen_random_uuid(),
  provider_id text not null unique,
  account_id uuid not null references accounts on delete cascade,
  -- The provider's numbers.
  application text not null,
  document text not null,
  process jsonb not null,
  -- Encrypted: the identifier of the person who is to sign.
  signer bytea not null,
  status text not null default 'passed-to-subscriber' check (
    status in ('passed-to-subscriber', 'subscriber-downloaded', 'subscriber-uploaded', 'issuer-uploaded', 'finished', 'canceled')
  ),
  -- Counts the moves, so that a confirmation belongs to the state that it was made for (R51).
  version int not null default 1,
  -- Encrypted: what opens the encrypted document. Made with it.
  access_code bytea,
  code_sent_at timestamptz,
  document_file uuid,
  upload_file uuid,
  signed_file uuid,
  refusal jsonb,
  -- The provider has finished the case before its countersignature has arrived (R55).
  finish_asked boolean not null default false,
  created_at timestamptz not null default portal_now(),
  updated_at timestamptz not null default portal_now()
);
create index document_cases_by_owner on document_cases (account_id, created_at desc, id desc);
create index document_cases_by_status on document_cases (status, id);
create index document_cases_by_customer on document_cases (account_id, id);
-- A customer's list begins with what waits for them (DOC-14); it orders by the same expression.
create index document_cases_by_urgency on document_cases (account_id, (case status when 'passed-to-subscriber' then 2 when 'subscriber-downloaded' then 2 when 'issuer-uploaded' then 1 else 0 end) desc, created_at desc, id desc);
create index document_cases_of_document on document_cases (document_file) where document_file is not null;
create index document_cases_of_signed_document on document_cases (signed_file) where signed_file is not null;
create index document_cases_of_upload on document_cases (upload_file) where upload_file is not null;
create index document_cases_by_document on document_cases (upper(document));
create index document_cases_by_application on document_cases (upper(application));
create index document_cases_waiting_for_check on document_cases (updated_at, id) where status = 'subscriber-uploaded';
create trigger document_moves before update of status on document_cases for each row execute function refuse_document_move();

-- Files of cases, in the store under `documents/<id>`. The row comes first and is completed by size and hash once the file
-- is whole, so that what a crash leaves behind is found: a row that no case names (R53).
create table document_files (
  id uuid primary key default gen_random_uuid(),
  case_id uuid not null references document_cases on delete cascade,
  kind text not null check (kind in ('document', 'upload', 'signed')),
  bytes int,
  sha256 text,
  -- Of what the provider sent, before it was encrypted.
  source_sha256 text,
  -- The result of the check of an upload. The report is encrypted, because it names the signer.
  verdict text check (verdict in ('accepted', 'pending', 'refused')),
  report bytea,
  created_at timestamptz not null default portal_now(),
  clear_bytes int,
  clear_sha256 text
);
alter table document_cases
  add foreign key (document_file) references document_files,
  add foreign key (upload_file) references document_files,
  add foreign key (signed_file) references document_files;
create index document_files_by_case on document_files (case_id, created_at desc);
create index document_files_by_age on document_files (created_at);

-- A signature in place between its code and the code's entry (DOC-9). There is one at a time for a case: the next one takes
-- its place, and its code with it.
create table document_signings (
  id uuid primary key default gen_random_uuid(),
  case_id uuid not null unique references document_cases on delete cascade,
  session_id uuid not null,
  signature_id uuid not null references signatures on delete cascade,
  -- Of the document in clear: what the message named.
  document_sha256 text not null,
  -- SHA-256 of everything that the code was sent for (R33): the customer, the case and its version, the certificate, and what the signature covers.
  binding text not null,
  -- The time that the signature claims, a part of what it covers.
  claimed_at timestamptz not null
);
create index document_signings_by_signature on document_signings (signature_id);
