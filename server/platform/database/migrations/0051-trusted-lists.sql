-- CHK-10, CHK-11: the trusted lists as they were last accepted (ETSI TS 119 612), by the address of the list of lists that leads to them.
create table trusted_lists (
  source text not null,
  -- EU for the list of lists itself.
  territory text not null check (territory ~ '^[A-Z]{2}$'),
  sequence_number integer not null check (sequence_number > 0),
  -- SHA-256 of what is signed, and of the file.
  digest bytea not null,
  file_digest bytea not null,
  -- DER.
  signer bytea not null,
  issued_at timestamptz not null,
  -- Null for a list that is closed for good.
  next_update timestamptz,
  -- The pointers of the list of lists, or the anchors of a country.
  content jsonb not null,
  accepted_at timestamptz not null default portal_now(),
  primary key (source, territory)
);

-- When the lists are fetched next, by the first node to find it; `id` is a hash of the settings.
create table trusted_list_rounds (
  id text primary key,
  next_at timestamptz not null
);
