ALTER TABLE plant4j_encounter ADD COLUMN second_reviewer TEXT;
ALTER TABLE plant4j_encounter ADD COLUMN second_review TEXT;
ALTER TABLE plant4j_encounter ADD COLUMN disagreements INTEGER;
