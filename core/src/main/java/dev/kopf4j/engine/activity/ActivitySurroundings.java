package dev.kopf4j.engine.activity;

import dev.kopf4j.Logins;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.handling.context.Indices;
import dev.kopf4j.engine.handling.context.Memos;
import dev.kopf4j.engine.handling.context.Services;

/**
 * What the handlers of all activities have in common.
 *
 * @param settings the settings of this run
 * @param services clients of other libraries
 * @param logins the built-in logins
 * @param memos has the operator's memo
 * @param indices the indices, complete or not
 */
record ActivitySurroundings(
        OperatorSettings settings, Services services, Logins logins, Memos memos, Indices indices) {}
