-- DSK-24: changes of customers that a member of the staff proposes and another one decides (R247).
create table desk_proposals (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('email', 'phone', 'erasure', 'hold', 'hold-release')),
  -- The new value, and the contact details that the proposer saw; encrypted, and removed with the decision (R249).
  content bytea,
  reason text not null,
  -- `sub` and name at the OpenID provider.
  proposed_by text not null,
  proposer text not null,
  proposed_at timestamptz not null default portal_now(),
  expires_at timestamptz not null,
  -- `void`: the customer's data had changed.
  outcome text check (outcome in ('approved', 'refused', 'void')),
  decided_by text,
  decider text,
  note text,
  constraint desk_proposals_decided check ((outcome is null) = (decided_by is null) and (outcome is null) = (content is not null)),
  constraint desk_proposals_four_eyes check (decided_by <> proposed_by)
);
-- One open proposal for each customer and kind.
create unique index desk_proposals_open on desk_proposals (account_id, kind) where outcome is null;
create index desk_proposals_by_account on desk_proposals (account_id, proposed_at);
create index desk_proposals_by_end on desk_proposals (expires_at);

-- DSK-26: a customer whose data have to be kept, such as for a court, is not erased.
alter table accounts add column held_at timestamptz;
