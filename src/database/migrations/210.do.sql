-- Texts of evidence that are not handed in yet.
create table dispute_drafts (
  merchant_id text collate "C" not null,
  dispute_id text collate "C" not null,
  sealed bytea not null,
  updated_by text not null,
  updated_at timestamptz(3) not null,
  forget_at timestamptz(3) not null,
  primary key (merchant_id, dispute_id)
);
create index dispute_drafts_to_forget on dispute_drafts (forget_at);
