-- PRV-11: what customers have accepted outside the portal, as the provider has reported it last. What they accept in the portal is in `consents`.
create table reported_acceptances (
  account_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('terms', 'privacy')),
  -- The day from which the accepted text applies.
  version text not null,
  at timestamptz not null,
  primary key (account_id, kind)
);
