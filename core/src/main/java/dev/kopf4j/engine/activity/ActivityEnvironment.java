package dev.kopf4j.engine.activity;

import dev.kopf4j.Logins;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.handling.context.IndexLookup;
import dev.kopf4j.engine.handling.context.OperatorMemos;
import dev.kopf4j.engine.handling.context.ServiceProvider;

/**
 * What the handlers of all activities have in common.
 *
 * @param settings the settings of this run
 * @param serviceProvider clients of other libraries
 * @param logins the built-in logins
 * @param operatorMemos has the operator's memo
 * @param indexLookup the indices, complete or not
 */
record ActivityEnvironment(
        OperatorSettings settings,
        ServiceProvider serviceProvider,
        Logins logins,
        OperatorMemos operatorMemos,
        IndexLookup indexLookup) {}
