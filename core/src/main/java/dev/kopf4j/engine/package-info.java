/** Assembles an operator from the packages below, starts it, supervises it, and stops it. */
package dev.kopf4j.engine;
