DROP TABLE IF EXISTS visits, members, notes;
CREATE TABLE members (
  id INT AUTO_INCREMENT PRIMARY KEY, email VARCHAR(50) NOT NULL UNIQUE, weight DOUBLE DEFAULT 0.1, height FLOAT DEFAULT 0.3, flags BIT(4),
  mood ENUM('sad', 'it''s ok') DEFAULT 'sad', picture BLOB, joined TIMESTAMP(3) DEFAULT '2020-01-01 00:00:00.123', details JSON,
  shown VARCHAR(60) AS (UPPER(email)) STORED, CHECK (weight >= 0)
);
CREATE TABLE visits (
  id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, member_id INT NOT NULL, fee DECIMAL(8, 2),
  FOREIGN KEY (member_id) REFERENCES members (id) ON DELETE CASCADE
);
CREATE TABLE notes (a INT, b VARCHAR(5));
INSERT INTO members (email, height, flags, picture, details) VALUES ('ann@x', 0.1, b'101', x'00ff27', '{"a": [1, "q"]}'), ('b\'o\\b', 1e10, NULL, '', NULL);
INSERT INTO visits (member_id, fee) VALUES (1, 5.50), (2, 7);
INSERT INTO notes VALUES (1, 'x'), (1, 'x'), (NULL, NULL);
CREATE TRIGGER noted AFTER INSERT ON visits FOR EACH ROW INSERT INTO notes VALUES (NEW.id, 'o');
