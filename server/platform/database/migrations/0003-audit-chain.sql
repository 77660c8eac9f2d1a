-- The trail is made of chains (OPS-5, R84): a record has its place in one, names the MAC of the record before it, and has its own.
alter table audit add column chain uuid, add column seq bigint, add column previous bytea, add column mac bytea;

-- Records from before are one chain, of plain hashes: the database has no key. The first signed head fixes its end.
do $$
declare
  one record;
  place bigint := 0;
  last bytea := '';
  next bytea;
  adopted constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  for one in select * from audit order by id loop
    place := place + 1;
    next := sha256(last || convert_to(jsonb_build_array(adopted, place, one.id, one.at at time zone 'UTC', one.act,
      one.account_id, one.actor, one.address, one.details)::text, 'UTF8'));
    update audit set chain = adopted, seq = place, previous = last, mac = next where id = one.id;
    last := next;
  end loop;
end $$;

alter table audit
  alter column chain set not null,
  alter column seq set not null,
  alter column previous set not null,
  alter column mac set not null,
  -- No two records have one place, so no chain can fork (R85). The number needs no index: nothing is looked up by it.
  drop constraint audit_pkey,
  add constraint audit_place primary key (chain, seq);
