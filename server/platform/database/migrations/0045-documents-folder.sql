-- Which folder has the documents, where no bucket has them: a node with another folder would report the documents of the first one
-- as damaged, so it does not start. At most one row.
create table documents_folder (
  id uuid not null,
  is_only boolean primary key default true check (is_only)
);
