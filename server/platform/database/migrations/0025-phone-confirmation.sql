-- Whether the number of an account has been confirmed: by a code that its owner entered, or by the word of the provider, who has
-- checked the customer's identity (R115). What a version before writes counts as confirmed, as it did.
alter table accounts
  add column phone_confirmed boolean not null default true,
  -- The provider changed the e-mail or the phone: until then no reset link is sent (R116).
  add column resets_from timestamptz;
update accounts set phone_confirmed = false where unconfirmed_key is not null;
