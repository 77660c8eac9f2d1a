-- R251: what was entered in a renewal that has expired during a legal hold is removed once the hold is released. It was not signed.
create or replace function refuse_renewal_move() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and (old.state, new.state) not in (
    ('parameters', 'personal-data'), ('parameters', 'expired'),
    ('personal-data', 'signing'), ('personal-data', 'expired'),
    ('signing', 'personal-data'), ('signing', 'authorised'), ('signing', 'declined'), ('signing', 'expired'),
    ('authorised', 'signed'), ('authorised', 'signing'),
    ('signed', 'issued'), ('signed', 'failed'),
    ('issued', 'finished')
  ) then
    raise exception 'a renewal cannot go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if old.parameters_sha256 is not null and new.parameters_sha256 is distinct from old.parameters_sha256 then
    raise exception 'the parameters of a renewal are fixed' using errcode = 'check_violation';
  end if;
  if old.state not in ('parameters', 'personal-data', 'signing')
    and not (old.state = 'expired' and new.terms_sha256 is null and new.agreement_sha256 is null)
    and (new.terms_sha256, new.agreement_sha256) is distinct from (old.terms_sha256, old.agreement_sha256) then
    raise exception 'what was signed cannot be changed' using errcode = 'check_violation';
  end if;
  return new;
end $$;
