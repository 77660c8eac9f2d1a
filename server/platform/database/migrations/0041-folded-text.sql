-- How texts are compared in the search of lists (UIX-26): in any case, without the marks of the letters of Europe's languages, with
-- plain spaces, hyphens and apostrophes. In ICU's rules, so that the locale of the database makes no difference.
create function folded(text text) returns text language sql immutable parallel safe
  return replace(replace(replace(replace(
    translate(regexp_replace(normalize(lower(text collate "und-x-icu"), nfd), '[\u0300-\u036f]', '', 'g'),
      U&'łøđðħŧıŋəʒς’ʼ–—\2011\00a0\202f', U&'loddhtinezσ''''---  '),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
