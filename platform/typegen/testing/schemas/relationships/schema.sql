-- One-to-one, one-to-many, many-to-many, a reference to the own table, two references to one table, and a composite key.
create table author (id int primary key, name text not null, mentor int references author);
create table profile (author_id int primary key references author, bio text);
create table book (
  id int primary key,
  title text not null,
  writer int not null references author,
  editor int references author
);
create table label (id int primary key, name text unique);
create table book_label (book int references book, label int references label, primary key (book, label));
create table edition (book int references book, number int, year int, primary key (book, number));
create table copy (
  id int primary key,
  book int,
  edition int,
  constraint copy_of foreign key (book, edition) references edition (book, number)
);
