-- Vouchers for every product (VCH-3). No row is checked, so that nobody waits: each has one of the earlier processes.
alter table voucher_codes
  drop constraint voucher_codes_process_check,
  add constraint voucher_codes_process_check check (process in (
    'cloud-certificate', 'card-certificate', 'file-certificate', 'cloud-seal', 'card-seal', 'psd2-seal', 'file-seal', 'timestamps'
  )) not valid;
