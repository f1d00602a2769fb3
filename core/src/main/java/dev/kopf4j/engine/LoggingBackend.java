package dev.kopf4j.engine;

import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLoggerFactory;

/** The library that writes the log: the application chooses it. */
final class LoggingBackend {
    private LoggingBackend() {}

    /** Says on stderr what to add if nothing writes the log: an operator that fails would end without a word. */
    static void warnIfMissing() {
        if (LoggerFactory.getILoggerFactory() instanceof NOPLoggerFactory) {
            System.err.println("kopf4j: nothing is logged, as there is no logging backend for SLF4J: add"
                    + " ch.qos.logback:logback-classic or org.slf4j:slf4j-simple to the class path");
        }
    }
}
