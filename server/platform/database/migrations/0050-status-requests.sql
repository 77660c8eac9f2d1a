-- STP: requests of customers to suspend, resume or revoke a certificate.

-- Whether the suspension was requested by a customer: only then may a customer end it (STP-2).
alter table signatures add column own_suspension boolean not null default false;
alter table seals add column own_suspension boolean not null default false;

create table status_requests (
  id uuid primary key,
  -- Who requested it: of a seal, the Administrator.
  account_id uuid not null references accounts on delete cascade,
  signature_id uuid references signatures on delete cascade,
  seal_id uuid references seals on delete cascade,
  change text not null check (change in ('suspend', 'resume', 'revoke')),
  reason text check (reason in ('compromised', 'data-changed', 'superseded', 'not-needed')),
  state text not null default 'requested' check (state in ('requested', 'done', 'refused', 'replaced')),
  note jsonb,
  requested_at timestamptz not null default portal_now(),
  deadline timestamptz not null,
  decided_at timestamptz,
  -- When the operator was alarmed that nobody had decided it.
  alarmed_at timestamptz,
  check ((signature_id is null) <> (seal_id is null)),
  check ((reason is null) = (change = 'resume')),
  check ((decided_at is null) = (state = 'requested'))
);
-- One open request for each certificate.
create unique index status_requests_open_of_signature on status_requests (signature_id) where state = 'requested';
create unique index status_requests_open_of_seal on status_requests (seal_id) where state = 'requested';
create index status_requests_of_signature on status_requests (signature_id, id) where signature_id is not null;
create index status_requests_of_seal on status_requests (seal_id, id) where seal_id is not null;
create index status_requests_of_account on status_requests (account_id, id);
create index status_requests_by_state on status_requests (state, id);
create index status_requests_by_deadline on status_requests (deadline) where state = 'requested' and alarmed_at is null;

-- No other order is possible, whoever asks. The table is statusRequestMoves of contract/status-requests.ts, and a test compares them.
create function refuse_status_request_move() returns trigger language plpgsql as $$
begin
  if new.state = old.state or (old.state, new.state) in (
    ('requested', 'done'), ('requested', 'refused'), ('requested', 'replaced')
  ) then
    return new;
  end if;
  raise exception 'a request for another status cannot go from % to %', old.state, new.state using errcode = 'check_violation';
end $$;
create trigger status_request_moves before update of state on status_requests for each row execute function refuse_status_request_move();

alter table outbox
  drop constraint outbox_channel_check,
  add constraint outbox_channel_check check (channel in ('mail', 'sms', 'password-link', 'registration', 'seal-invitation',
    'agreement-signature', 'data-export', 'customer-invitation', 'webhook', 'app-activation', 'certificate-status')) not valid;
