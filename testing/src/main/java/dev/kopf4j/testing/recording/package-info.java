/** What an operator under test has done: its calls, logs, requests and events, and how far it is with each object. */
@NullMarked
package dev.kopf4j.testing.recording;

import org.jspecify.annotations.NullMarked;
