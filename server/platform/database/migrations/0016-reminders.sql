-- SIG-5: whether the customer wants the reminders of ending certificates that can be switched off; the last two always come.
alter table accounts add column early_reminders boolean not null default true;

-- What an owner was reminded of: once for each certificate and step. A signature whose certificate is replaced has another end.
create table signature_reminders (
  signature_id uuid not null references signatures on delete cascade,
  -- Days before the end.
  step int not null,
  valid_to timestamptz not null,
  at timestamptz not null default portal_now(),
  primary key (signature_id, step, valid_to)
);

-- Every node looks for ends that come near, every ten minutes.
create index signatures_by_end on signatures (valid_to);
