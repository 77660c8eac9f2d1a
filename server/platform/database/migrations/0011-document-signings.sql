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
