/** What an operator is when it runs: put together here of the packages below, started, supervised, and stopped. */
package dev.kopf4j.engine;
