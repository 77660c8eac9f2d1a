-- The periods of certificates, and two more products of seals (SIG-7, SEA-7). The previous version knows years only. No row is
-- rewritten or checked, so that nobody waits: rows without a period have that of their years.
alter table signatures
  add column period text,
  add constraint signatures_period_check check (period in ('1_day', '30_days', '1_year', '2_years', '3_years')) not valid;
alter table seals
  add column period text,
  add constraint seals_period_check check (period in ('1_day', '30_days', '1_year', '2_years', '3_years')) not valid,
  -- Read from the certificate (SEA-8): the roles of a payment service provider and its competent authority.
  add column psd2 jsonb,
  add constraint seals_psd2_check check (product <> 'psd2-card' or psd2 is not null) not valid,
  drop constraint seals_product_check,
  add constraint seals_product_check check (product in ('app', 'card', 'psd2-card', 'file')) not valid;

create function period_of(period text, years int) returns text language sql immutable
  return coalesce(period, case least(years, 3) when 1 then '1_year' when 2 then '2_years' else '3_years' end);

-- This version writes periods and the previous one years; each finds its own right.
create function keep_period() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.period is not distinct from old.period and new.years <> old.years then
    new.period := null;
  elsif new.period is not null then
    new.years := case new.period when '3_years' then 3 when '2_years' then 2 else 1 end;
  end if;
  return new;
end $$;
create trigger signature_period before insert or update of period, years on signatures for each row execute function keep_period();
create trigger seal_period before insert or update of period, years on seals for each row execute function keep_period();
