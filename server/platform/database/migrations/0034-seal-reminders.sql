-- What an Administrator was reminded of: once for each end of the seal’s certificate and step (SEA-11).
create table seal_reminders (
  seal_user_id uuid not null references seal_users on delete cascade,
  -- Days before the end.
  step int not null,
  valid_to timestamptz not null,
  at timestamptz not null default portal_now(),
  primary key (seal_user_id, step, valid_to)
);

-- Every node looks for ends that come near, every ten minutes.
create index seals_by_end on seals (valid_to);
