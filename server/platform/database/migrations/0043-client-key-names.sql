-- Of the keys with one name, one is current, and commands mean that one: the others were replaced by a rotation, revoked, or have ended (R80).
alter table provider_keys add column replaced_at timestamptz;
update provider_keys set replaced_at = expires_at where revoked_at is null and expires_at <= portal_now();

-- Of keys that had been created with one name, the newest keeps it. All of them stay valid, and get a name of their own.
update provider_keys k set name = k.name || ' ' || left(k.id::text, 8)
where revoked_at is null and replaced_at is null and exists (
  select from provider_keys newer
  where newer.name = k.name and newer.revoked_at is null and newer.replaced_at is null and (newer.created_at, newer.id) > (k.created_at, k.id)
);
create unique index provider_keys_by_name on provider_keys (name) where revoked_at is null and replaced_at is null;
