-- live: no, because every result is written anew under a lock that nobody reads through
-- One statement, so that the table is written anew once.
ALTER TABLE "test_results" ADD COLUMN "wrong_ids" jsonb GENERATED ALWAYS AS (jsonb_path_query_array(questions_data, '$[*] ? (@.isCorrect == false && exists(@.question.id) && exists(@.userAnswer)).question.id')) STORED,
  ADD COLUMN "wrong_options" jsonb GENERATED ALWAYS AS (jsonb_path_query_array(questions_data, '$[*] ? (@.isCorrect == false && exists(@.question.id) && exists(@.userAnswer)).userAnswer')) STORED;