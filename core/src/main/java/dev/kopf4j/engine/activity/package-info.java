/** What the operator does as a whole: it starts, ends, logs in, and says how it is. Knows nothing of objects. */
package dev.kopf4j.engine.activity;
