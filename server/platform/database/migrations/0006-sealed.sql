-- Personal data and documents rest sealed (R83). The database has no key, so what was in clear waits in tables of its own
-- until the start that follows seals it (unsealed-rows.ts), drops them, and rewrites the tables it came from.
create table unsealed_accounts as select id, phone from accounts;
create table unsealed_signatures as select id, identifier_value, certificate, chain from signatures;
alter table unsealed_accounts add primary key (id);
alter table unsealed_signatures add primary key (id);

alter table accounts drop column phone;
alter table accounts add column phone bytea;

alter table signatures drop column identifier_value, drop column certificate, drop column chain;
alter table signatures
  add column identifier_value bytea,
  -- What has one value has one index, which tells it to nobody without the key.
  add column identifier_index bytea,
  -- The certificate and its chain: the number of its holder stands in it.
  add column certificates bytea;

-- The root of all keys but the master keys, sealed under one of those.
create table secrets (name text primary key, sealed bytea not null);

-- Each document has a key of its own: without its row, no copy of the file can be read.
create table document_keys (document text primary key, sealed bytea not null);

-- Where nothing was in clear, nothing has to wait.
do $$
begin
  if not exists (select from unsealed_accounts) then
    drop table unsealed_accounts;
    alter table accounts alter column phone set not null;
  end if;
  if not exists (select from unsealed_signatures) then
    drop table unsealed_signatures;
    alter table signatures alter column identifier_value set not null, alter column identifier_index set not null,
      alter column certificates set not null;
  end if;
end $$;
