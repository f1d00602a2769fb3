/** What was seen of objects and calls, and what it means. */
@NullMarked
package dev.kopf4j.e2e.endurance.judgement;

import org.jspecify.annotations.NullMarked;
