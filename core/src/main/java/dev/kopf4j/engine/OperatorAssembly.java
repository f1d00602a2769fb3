package dev.kopf4j.engine;

import dev.kopf4j.MetricsListener;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.admission.configuration.WebhookManifests;
import dev.kopf4j.engine.call.OperatorMemos;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.observation.NamespacePattern;
import dev.kopf4j.engine.registration.RegistryBuilder;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.StopSignals;
import dev.kopf4j.runtime.SystemPlatform;
import dev.kopf4j.webhook.WebhookClientConfig;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLoggerFactory;

/** Assembles operators. This is the only class of the engine that the public API uses. */
public final class OperatorAssembly {
    private OperatorAssembly() {}

    /** Makes somebody who hears of the requests of an operator. */
    @FunctionalInterface
    public interface Observer {
        /**
         * One for a run of an operator on this machine.
         *
         * @param plan the operator, with the settings of the run: start-up handlers change them
         */
        MetricsListener of(OperatorPlan plan, Platform platform);
    }

    /** A builder of operators on the real machine, each of which gets such an observer. */
    public static OperatorBuilder builder(Observer observer) {
        return new OperatorPlanBuilder(observer);
    }

    /** An operator on the real machine, with the credentials that the plan names. */
    static Operator assemble(OperatorPlan plan, Observer observer) {
        SystemPlatform platform = new SystemPlatform();
        LoggingBackend.warnIfMissing();
        return assemble(
                plan,
                new OperatorEnvironment(platform, ClusterAccess.of(plan, platform)),
                StopSignals.OF_PROCESS,
                observer);
    }

    /** An operator in a given environment, which no signal stops. */
    public static Operator assemble(OperatorPlan plan, OperatorEnvironment operatorEnvironment) {
        return assemble(plan, operatorEnvironment, StopSignals.IGNORED, null);
    }

    /**
     * An operator that brings children to what its handlers say, and does nothing else: no other handler is called but
     * indices.
     */
    public static Operator assembleForChildren(OperatorPlan plan, OperatorEnvironment operatorEnvironment) {
        HandlerRegistry registry = RegistryBuilder.build(plan.registrations(), OperatorMemos.type(plan.memo()));
        return new EngineOperator(plan, registry.ofDesiredChildren(), operatorEnvironment, StopSignals.IGNORED, null);
    }

    private static Operator assemble(
            OperatorPlan plan,
            OperatorEnvironment operatorEnvironment,
            StopSignals signals,
            @Nullable Observer observer) {
        HandlerRegistry registry = RegistryBuilder.build(plan.registrations(), OperatorMemos.type(plan.memo()));
        return new EngineOperator(plan, registry, operatorEnvironment, signals, observer);
    }

    /**
     * The webhook configurations of an operator that is not started: start-up handlers are not called.
     *
     * @param name of both
     * @param defined the resources whose definitions are at hand
     * @param where the webhooks are reached
     */
    public static WebhookManifests webhooks(
            OperatorBuilder builder, String name, Collection<Resource> defined, WebhookClientConfig where) {
        OperatorPlan plan = OperatorPlan.of(builder);
        HandlerRegistry registry = RegistryBuilder.survey(plan.registrations(), OperatorMemos.type(plan.memo()));
        return WebhookManifests.of(
                name, registry.admission(), NamespacePattern.names(plan.namespaces()), defined, where);
    }

    /** The library that writes the log: the application chooses it. */
    private static final class LoggingBackend {
        private LoggingBackend() {}

        /** Says on stderr what to add if nothing writes the log: an operator that fails would end without a word. */
        static void warnIfMissing() {
            if (LoggerFactory.getILoggerFactory() instanceof NOPLoggerFactory) {
                System.err.println("kopf4j: nothing is logged, as there is no logging backend for SLF4J: add"
                        + " ch.qos.logback:logback-classic or org.slf4j:slf4j-simple to the class path");
            }
        }
    }
}
