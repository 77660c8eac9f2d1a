-- The renewal of a cloud signature (REN-1 … REN-10). Its id is what the page is called by, so it is random.
create table renewals (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  -- The certificate that is renewed, and the code that pays for it.
  signature_id uuid not null references signatures on delete cascade,
  code_id uuid not null references voucher_codes on delete cascade,
  state text not null default 'parameters' check (state in
    ('parameters', 'personal-data', 'signing', 'authorised', 'signed', 'issued', 'finished', 'declined', 'expired', 'failed')),
  -- Counts the changes, so that a call belongs to what its page showed (R56).
  version int not null default 1,
  -- Sealed. The hash is set when step 1 is left, and never changes again (R57).
  parameters bytea,
  parameters_sha256 text,
  shortened_to timestamptz,
  -- Sealed: new details of the identity document, for the provider to look at (REN-6).
  identity bytea,
  identity_state text check (identity_state in ('asked', 'confirmed', 'refused')),
  -- Sealed: what the agreement and the order are made from, and nothing else (R57).
  terms bytea,
  terms_sha256 text,
  agreement_key text,
  agreement_bytes int,
  agreement_sha256 text,
  signing_failed boolean not null default false,
  signed_key text,
  signed_bytes int,
  signed_sha256 text,
  signed_at timestamptz,
  issued_signature uuid unique references signatures on delete set null,
  note jsonb,
  opened_at timestamptz not null default portal_now(),
  ends_at timestamptz not null,
  updated_at timestamptz not null default portal_now(),
  check ((terms is null) = (terms_sha256 is null)),
  check ((agreement_key is null) = (agreement_sha256 is null)),
  check (state not in ('authorised', 'signed', 'issued', 'finished') or agreement_key is not null),
  check (state not in ('signed', 'issued', 'finished', 'failed') or signed_key is not null)
);
create index renewals_by_owner on renewals (account_id, ends_at);
create index renewals_by_state on renewals (state, id);
-- One renewal for each code, and one at a time for each certificate (R31, R60).
create unique index renewals_by_code on renewals (code_id) where state <> 'expired';
create unique index renewals_by_signature on renewals (signature_id) where state not in ('expired', 'declined', 'failed');

-- R56: no other order is possible, whoever asks. The table is contract/renewal.ts' renewalMoves, and a test compares them.
create function refuse_renewal_move() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and (old.state, new.state) not in (
    ('parameters', 'personal-data'), ('parameters', 'expired'),
    ('personal-data', 'signing'), ('personal-data', 'expired'),
    ('signing', 'personal-data'), ('signing', 'authorised'), ('signing', 'declined'), ('signing', 'expired'),
    ('authorised', 'signed'), ('authorised', 'signing'),
    ('signed', 'issued'), ('signed', 'failed'),
    ('issued', 'finished')
  ) then
    raise exception 'a renewal cannot go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if old.parameters_sha256 is not null and new.parameters_sha256 is distinct from old.parameters_sha256 then
    raise exception 'the parameters of a renewal are fixed' using errcode = 'check_violation';
  end if;
  if old.state not in ('parameters', 'personal-data', 'signing')
    and (new.terms_sha256, new.agreement_sha256) is distinct from (old.terms_sha256, old.agreement_sha256) then
    raise exception 'what was signed cannot be changed' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger renewal_moves before update on renewals for each row execute function refuse_renewal_move();

alter table outbox
  drop constraint outbox_channel_check,
  add constraint outbox_channel_check check
    (channel in ('mail', 'sms', 'password-link', 'registration', 'seal-invitation', 'agreement-signature')) not valid;
