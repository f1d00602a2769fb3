package dev.kopf4j.engine.activity;

import dev.kopf4j.Logins;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.handling.Services;

/**
 * What the handlers of all activities have in common.
 *
 * @param settings the settings of this run
 * @param services clients of other libraries
 * @param logins the built-in logins
 */
record ActivitySurroundings(OperatorSettings settings, Services services, Logins logins) {}
