-- Periods and roles have the names of the specification (decision 0095).
alter table signatures drop constraint signatures_period_check;
alter table seals drop constraint seals_period_check;
create or replace function period_of(period text, years int) returns text language sql immutable
  return coalesce(period, case least(years, 3) when 1 then '1_year' when 2 then '2_year' else '3_year' end);
create or replace function keep_period() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.period is not distinct from old.period and new.years <> old.years then
    new.period := null;
  elsif new.period is not null then
    new.years := case new.period when '3_year' then 3 when '2_year' then 2 else 1 end;
  end if;
  return new;
end $$;
update signatures set period = rtrim(period, 's') where period in ('2_years', '3_years');
update seals set period = rtrim(period, 's') where period in ('2_years', '3_years');
alter table signatures
  add constraint signatures_period_check check (period in ('1_day', '30_days', '1_year', '2_year', '3_year')) not valid;
alter table seals
  add constraint seals_period_check check (period in ('1_day', '30_days', '1_year', '2_year', '3_year')) not valid;

alter table seal_users drop constraint seal_users_role_check;
drop index seal_administrators;
update seal_users set role = 'admin' where role = 'administrator';
alter table seal_users add constraint seal_users_role_check check (role in ('admin', 'user'));
create index seal_administrators on seal_users (seal_id, number) where status = 'active' and role = 'admin';
