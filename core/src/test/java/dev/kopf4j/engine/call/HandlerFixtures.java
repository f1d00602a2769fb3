package dev.kopf4j.engine.call;

import dev.kopf4j.Handler;
import dev.kopf4j.Memo;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnEvent;
import dev.kopf4j.OnField;
import dev.kopf4j.OnResume;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.OnValidate;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.call.ContextFactory.ChildrenLookup;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.Cause.Change;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.registration.RegistryBuilder.Registration;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonDiff;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.helpers.NOPLogger;
import tools.jackson.databind.node.ObjectNode;

/** Makes handlers, and the causes that filters are asked about, for tests. */
public final class HandlerFixtures {
    public static final Resource RESOURCE = new Resource(
            "kopf.dev",
            "v1",
            new Resource.Names("kopfexamples", "KopfExample", "kopfexample", Set.of(), Set.of()),
            Set.of(),
            true,
            true,
            Set.of("list", "watch", "patch"));

    private HandlerFixtures() {}

    public static RegisteredHandler creation(Consumer<? super OnCreate.Options> options) {
        return only(Operator.builder().onCreate("kex", "fn", options, context -> null));
    }

    public static RegisteredHandler creation(String id) {
        return only(Operator.builder().onCreate("kex", id, context -> null));
    }

    public static RegisteredHandler update(Consumer<? super OnUpdate.Options> options) {
        return only(Operator.builder().onUpdate("kex", "fn", options, context -> null));
    }

    public static RegisteredHandler delete(Consumer<? super OnDelete.Options> options) {
        return only(Operator.builder().onDelete("kex", "fn", options, context -> null));
    }

    public static RegisteredHandler resume(Consumer<? super OnResume.Options> options) {
        return only(Operator.builder().onResume("kex", "fn", options, context -> null));
    }

    public static RegisteredHandler field(Consumer<? super OnField.Options> options) {
        return only(Operator.builder().onField("kex", "fn", options, context -> null));
    }

    public static RegisteredHandler event(Consumer<? super OnEvent.Options> options) {
        return only(Operator.builder().onEvent("kex", "fn", options, context -> null));
    }

    public static RegisteredHandler index(Handler function) {
        return only(Operator.builder().onIndex("kex", "fn", function));
    }

    public static RegisteredHandler validation(String resource) {
        return validation(resource, "fn");
    }

    public static RegisteredHandler validation(String resource, String id) {
        return only(Operator.builder().onValidate(resource, id, context -> null));
    }

    public static RegisteredHandler validation(Consumer<OnValidate.Options> options) {
        return only(Operator.builder().onValidate("kopfexamples", "fn", options, context -> null));
    }

    private static RegisteredHandler only(OperatorBuilder builder) {
        if (OperatorPlan.of(builder).registrations().getFirst()
                instanceof Registration.Functional(var declaration, var handler)) {
            String id = java.util.Objects.requireNonNull(declaration.id());
            return new RegisteredHandler(declaration, RegisteredHandler.fullId(id, declaration), handler, handler);
        }
        throw new AssertionError("not a function");
    }

    public static ObjectNode json(String text) {
        return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    public static ResourceObject subject(String body) {
        return new ResourceObject(
                RESOURCE, ObjectReference.of(json(body)), new BodyView(json(body)), NOPLogger.NOP_LOGGER, Memo::new);
    }

    public static Cause.Handleable cause(
            dev.kopf4j.Reason reason, boolean initial, @Nullable String oldEssence, String newEssence) {
        ObjectNode old = oldEssence == null ? null : json(oldEssence);
        ObjectNode now = json(newEssence);
        return new Cause.Handleable(reason, initial, new Change(old, now, JsonDiff.between(old, now)));
    }

    public static ContextFactory contexts() {
        return new ContextFactory(
                new SimulatedPlatform(0, Instant.EPOCH),
                type -> {
                    throw new UnsupportedOperationException("no services in tests of selection: " + type);
                },
                id -> {
                    throw new UnsupportedOperationException("no indices in tests of selection: " + id);
                },
                ChildrenLookup.NONE,
                (id, body) -> null);
    }
}
