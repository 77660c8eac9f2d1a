-- A bucket is known by its id too, so that nodes with a bucket and nodes with a folder do not mix.
alter table documents_folder rename to documents_store;
