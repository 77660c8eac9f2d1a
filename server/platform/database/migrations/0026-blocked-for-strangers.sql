-- R118: ten wrong passwords block unknown devices only; known devices and passkeys keep working. Without it, as for the
-- provider's block and for every block before this version, an account is blocked for everyone.
alter table accounts add column blocked_for_strangers boolean not null default false;
