-- A file of all that is known of a customer, made in the background and offered for 24 hours (DAT-6). The row goes last of
-- all, with its files: while it is there, whatever a crash has left is found by it.
create table data_exports (
  id uuid primary key,
  account_id uuid not null references accounts,
  locale text not null check (locale in ('pl', 'en')),
  requested_at timestamptz not null default portal_now(),
  -- Every file that was ever begun, in the store under `exports/<name>`: each try writes its own.
  files text[] not null default '{}',
  made_at timestamptz,
  json_file text,
  json_bytes int,
  pdf_file text,
  pdf_bytes int,
  check ((made_at is null) = (json_file is null) and (made_at is null) = (pdf_file is null)),
  check ((made_at is null) = (json_bytes is null) and (made_at is null) = (pdf_bytes is null))
);
create index data_exports_by_account on data_exports (account_id);

alter table outbox
  drop constraint outbox_channel_check,
  add constraint outbox_channel_check check
    (channel in ('mail', 'sms', 'password-link', 'registration', 'seal-invitation', 'agreement-signature', 'data-export')) not valid;
