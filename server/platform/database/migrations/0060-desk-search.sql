-- outside a transaction: each statement can be repeated, and nobody waits for it

-- DSK-8: a keyed hash of the serial number of each certificate, by which the desk finds it. The job that fills certificate_index fills it;
-- as with that one (0031), a node of the previous version that files another certificate clears it.
begin; set local lock_timeout = '300ms';
alter table signatures add column if not exists serial_index bytea;
alter table seals add column if not exists serial_index bytea;
create or replace function keep_serial_index() returns trigger language plpgsql as $$
begin
  if tg_argv[0] = 'mark' then
    new.serial_index := new.serial_index || '\x00';
  elsif new.serial_index is not distinct from old.serial_index then
    new.serial_index := null;
  elsif new.serial_index is not null then
    new.serial_index := substr(new.serial_index, 1, length(new.serial_index) - 1);
  end if;
  return new;
end $$;
create or replace trigger serial_index_1 before update of serial_index on signatures for each row execute function keep_serial_index('mark');
create or replace trigger serial_index_2 before update of certificates, serial_index on signatures for each row
  when (new.certificates is distinct from old.certificates or new.serial_index is distinct from old.serial_index) execute function keep_serial_index('settle');
create or replace trigger serial_index_1 before update of serial_index on seals for each row execute function keep_serial_index('mark');
create or replace trigger serial_index_2 before update of certificate, serial_index on seals for each row
  when (new.certificate is distinct from old.certificate or new.serial_index is distinct from old.serial_index) execute function keep_serial_index('settle');
commit;

drop index concurrently if exists signatures_by_serial;

create index concurrently signatures_by_serial on signatures (serial_index);

drop index concurrently if exists seals_by_serial;

create index concurrently seals_by_serial on seals (serial_index);

-- Rows whose keyed hash is missing, for the job.
drop index concurrently if exists signatures_without_serial;

create index concurrently signatures_without_serial on signatures (id) where serial_index is null;

drop index concurrently if exists seals_without_serial;

create index concurrently seals_without_serial on seals (id) where serial_index is null;

-- The numbers of a document and of its case, as a caller reads them out.
drop index concurrently if exists document_cases_by_document;

create index concurrently document_cases_by_document on document_cases (upper(document));

drop index concurrently if exists document_cases_by_application;

create index concurrently document_cases_by_application on document_cases (upper(application));
