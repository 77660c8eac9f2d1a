-- A change of the phone number under way (DAT-2). It belongs to one session and ends with it.
create table phone_changes (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null unique references sessions (id) on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  step text not null default 'document' check (step in ('document', 'email', 'number', 'sms')),
  -- Sealed: the new number, from the step at which it was entered.
  phone bytea,
  started_at timestamptz not null default portal_now(),
  check ((step = 'sms') = (phone is not null))
);
create index phone_changes_by_account on phone_changes (account_id);
