/** What kopf4j promises, row by row, and which tests show it: they carry the ids of rows as tags, in any module. */
@NullMarked
package dev.kopf4j.checklist;

import org.jspecify.annotations.NullMarked;
