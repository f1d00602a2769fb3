package dev.kopf4j;

import dev.kopf4j.hierarchy.CurrentHandlerContext;
import dev.kopf4j.hierarchy.MetadataAccess;
import dev.kopf4j.hierarchy.MetadataChanges;
import dev.kopf4j.hierarchy.ObjectEvent;
import dev.kopf4j.hierarchy.OwnerIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Functions for handlers: they give the children of the object being handled what these need, and post events about
 * objects.
 *
 * <p>Objects are maps, JSON trees, models of client libraries, or collections of these, nested as they may be; nulls in
 * them are passed over. They are changed in place. Owners are the same, or a {@link Body}. Where no owner is given, it
 * is the object being handled by the current thread; outside of handlers that is an {@link IllegalStateException}.
 * Threads that a handler starts on its own are outside, unless their work goes through {@link #wrap(Runnable)}.
 *
 * <p>Thread-safe, as long as nobody else works with the given objects meanwhile.
 */
public final class Kopf {
    private static final String VERSION = readVersion();

    private Kopf() {}

    /** The version of kopf4j, as in {@code 1.2.3}; requests to the API server tell it, too. */
    public static String version() {
        return VERSION;
    }

    /** From a file that the build writes: a class path knows neither modules' versions nor which jar it is. */
    private static String readVersion() {
        try (InputStream file = Kopf.class.getResourceAsStream("version.txt")) {
            return new String(Objects.requireNonNull(file, "version.txt").readAllBytes(), StandardCharsets.UTF_8)
                    .strip();
        } catch (IOException e) {
            throw new UncheckedIOException("Reading the version has failed", e);
        }
    }

    /**
     * Makes the objects children of the one being handled: owner reference (so that they are deleted with it), name,
     * namespace, labels.
     *
     * @throws IllegalArgumentException if an object is in another namespace: Kubernetes' garbage collector would delete
     *     it. None of them gets an owner reference then
     */
    public static void adopt(Object objects) {
        adopt(objects, handled("Kopf.adopt(objects, owner)"), defaults());
    }

    /** The same with options, such as {@code o -> o.strict().nested("spec.template")}. */
    public static void adopt(Object objects, Consumer<? super HierarchyOptions> options) {
        adopt(objects, handled("Kopf.adopt(objects, owner, options)"), chosen(options));
    }

    /** Makes the objects children of {@code owner}. */
    public static void adopt(Object objects, Object owner) {
        adopt(objects, OwnerIdentity.of(owner), defaults());
    }

    /** The same with options. */
    public static void adopt(Object objects, Object owner, Consumer<? super HierarchyOptions> options) {
        adopt(objects, OwnerIdentity.of(owner), chosen(options));
    }

    private static void adopt(Object objects, OwnerIdentity ownerIdentity, HierarchyOptions options) {
        String name = nameOf(ownerIdentity);
        appendOwnerReference(objects, ownerIdentity, options);
        harmonizeNaming(objects, name, options);
        adjustNamespace(objects, ownerIdentity.namespace(), options);
        label(objects, ownerIdentity.labels(), options);
    }

    /**
     * Makes the object being handled an owner of the objects: they are deleted with it.
     *
     * @throws IllegalArgumentException if an object is in another namespace, as with {@link #adopt(Object)}; with
     *     {@code o -> o.forced()} that is not looked at, for objects that are moved afterwards
     */
    public static void appendOwnerReference(Object objects) {
        appendOwnerReference(objects, handled("Kopf.appendOwnerReference(objects, owner)"), defaults());
    }

    /** The same with options, such as {@code o -> o.notController()}. */
    public static void appendOwnerReference(Object objects, Consumer<? super HierarchyOptions> options) {
        appendOwnerReference(objects, handled("Kopf.appendOwnerReference(objects, owner, options)"), chosen(options));
    }

    /** Makes {@code owner} an owner of the objects, unless it is one already (by its uid). */
    public static void appendOwnerReference(Object objects, Object owner) {
        appendOwnerReference(objects, OwnerIdentity.of(owner), defaults());
    }

    /** The same with options. */
    public static void appendOwnerReference(Object objects, Object owner, Consumer<? super HierarchyOptions> options) {
        appendOwnerReference(objects, OwnerIdentity.of(owner), chosen(options));
    }

    private static void appendOwnerReference(Object objects, OwnerIdentity ownerIdentity, HierarchyOptions options) {
        if (!options.isForced()) {
            // Before any of them is changed: made all the same, a child with the reference would be deleted.
            changeEach(objects, metadata -> MetadataChanges.checkNamespace(metadata, ownerIdentity));
        }
        Map<String, Object> reference =
                ownerIdentity.ownerReference(options.isController(), options.isBlockingOwnerDeletion());
        changeEach(objects, metadata -> MetadataChanges.appendOwner(metadata, reference));
    }

    /** Removes the object being handled from the owners of the objects. */
    public static void removeOwnerReference(Object objects) {
        removeOwnerReference(objects, handled("Kopf.removeOwnerReference(objects, owner)"));
    }

    /** Removes {@code owner} from the owners of the objects. */
    public static void removeOwnerReference(Object objects, Object owner) {
        removeOwnerReference(objects, OwnerIdentity.of(owner));
    }

    private static void removeOwnerReference(Object objects, OwnerIdentity ownerIdentity) {
        changeEach(objects, metadata -> MetadataChanges.removeOwner(metadata, ownerIdentity));
    }

    /** Gives the objects the labels of the one being handled; labels that they have stay. */
    public static void label(Object objects) {
        label(objects, handled("Kopf.label(objects, labels)").labels(), defaults());
    }

    /** The same with options, such as {@code o -> o.forced().nested("spec.template")}. */
    public static void label(Object objects, Consumer<? super HierarchyOptions> options) {
        label(objects, handled("Kopf.label(objects, labels, options)").labels(), chosen(options));
    }

    /** Gives the objects these labels; labels that they have stay. */
    public static void label(Object objects, Map<String, String> labels) {
        label(objects, labels, defaults());
    }

    /** The same with options. */
    public static void label(Object objects, Map<String, String> labels, Consumer<? super HierarchyOptions> options) {
        label(objects, labels, chosen(options));
    }

    private static void label(Object objects, Map<String, String> labels, HierarchyOptions options) {
        if (labels.isEmpty()) {
            return;
        }
        Consumer<Map<String, @Nullable Object>> change =
                metadata -> MetadataChanges.label(metadata, labels, options.isForced());
        for (MetadataAccess metadataAccess : MetadataAccess.in(objects)) {
            metadataAccess.changeMetadata(change);
            options.nestedPaths().stream()
                    .map(metadataAccess::part)
                    .flatMap(Optional::stream)
                    .forEach(part -> part.changeMetadata(change));
        }
    }

    /**
     * Names the objects after the one being handled, with a suffix of the server's; objects that have a name keep it.
     */
    public static void harmonizeNaming(Object objects) {
        harmonizeNaming(objects, nameOf(handled("Kopf.harmonizeNaming(objects, name)")), defaults());
    }

    /** The same with options, such as {@code o -> o.strict()} for the very name. */
    public static void harmonizeNaming(Object objects, Consumer<? super HierarchyOptions> options) {
        harmonizeNaming(objects, nameOf(handled("Kopf.harmonizeNaming(objects, name, options)")), chosen(options));
    }

    /** Names the objects by this prefix and a suffix of the server's; objects that have a name keep it. */
    public static void harmonizeNaming(Object objects, String name) {
        harmonizeNaming(objects, name, defaults());
    }

    /** The same with options. */
    public static void harmonizeNaming(Object objects, String name, Consumer<? super HierarchyOptions> options) {
        harmonizeNaming(objects, name, chosen(options));
    }

    private static void harmonizeNaming(Object objects, String name, HierarchyOptions options) {
        changeEach(objects, metadata -> MetadataChanges.name(metadata, name, options.isForced(), options.isStrict()));
    }

    /** Puts the objects into the namespace of the one being handled; objects that have a namespace stay there. */
    public static void adjustNamespace(Object objects) {
        adjustNamespace(
                objects, handled("Kopf.adjustNamespace(objects, namespace)").namespace(), defaults());
    }

    /** The same with options, such as {@code o -> o.forced()}. */
    public static void adjustNamespace(Object objects, Consumer<? super HierarchyOptions> options) {
        OwnerIdentity ownerIdentity = handled("Kopf.adjustNamespace(objects, namespace, options)");
        adjustNamespace(objects, ownerIdentity.namespace(), chosen(options));
    }

    /** Puts the objects into a namespace; objects that have one stay there. */
    public static void adjustNamespace(Object objects, String namespace) {
        adjustNamespace(objects, given(namespace), defaults());
    }

    /** The same with options. */
    public static void adjustNamespace(Object objects, String namespace, Consumer<? super HierarchyOptions> options) {
        adjustNamespace(objects, given(namespace), chosen(options));
    }

    /** Takes the namespace off the objects: for cluster-scoped ones. */
    public static void removeNamespace(Object objects) {
        changeEach(objects, metadata -> MetadataChanges.namespace(metadata, null, true));
    }

    private static String given(String namespace) {
        return Objects.requireNonNull(namespace, "the namespace is null; Kopf.removeNamespace(objects) takes it off");
    }

    private static void adjustNamespace(Object objects, @Nullable String namespace, HierarchyOptions options) {
        changeEach(objects, metadata -> MetadataChanges.namespace(metadata, namespace, options.isForced()));
    }

    /** The entry for {@code metadata.ownerReferences} that makes {@code owner} an owner and the controller. */
    public static Map<String, Object> buildOwnerReference(Object owner) {
        return buildOwnerReference(owner, options -> {});
    }

    /** The same with options, such as {@code o -> o.notController()}. */
    public static Map<String, Object> buildOwnerReference(Object owner, Consumer<? super HierarchyOptions> options) {
        HierarchyOptions chosen = chosen(options);
        return OwnerIdentity.of(owner).ownerReference(chosen.isController(), chosen.isBlockingOwnerDeletion());
    }

    /** A reference to the object as other objects write it: version, kind, name, uid, namespace. */
    public static Map<String, Object> buildObjectReference(Object object) {
        return OwnerIdentity.of(object).objectReference();
    }

    /**
     * Posts a Kubernetes event about the object being handled, unless {@code settings.posting()} says otherwise. Like
     * all functions for events, it returns at once: the event is posted in the background, and failures are only
     * logged.
     *
     * @param type {@code Normal} or {@code Warning}, as other tools expect; or any other word
     * @param reason a word for machines, such as {@code Resized}
     * @param message a sentence for people; shortened in the middle beyond 1024 bytes
     * @throws IllegalStateException outside of handlers
     */
    public static void event(String type, String reason, String message) {
        post(new ObjectEvent(CurrentHandlerContext.subject(), null, type, reason, message));
    }

    /** Posts such an event about each of the objects. */
    public static void event(Object objects, String type, String reason, String message) {
        OwnerIdentity.references(objects).forEach(object -> post(new ObjectEvent(object, null, type, reason, message)));
    }

    /** Posts an event of the type {@code Normal} about the object being handled; by default, such events are posted. */
    public static void info(String reason, String message) {
        post(ObjectEvent.info(CurrentHandlerContext.subject(), reason, message));
    }

    /** Posts such an event about each of the objects. */
    public static void info(Object objects, String reason, String message) {
        OwnerIdentity.references(objects).forEach(object -> post(ObjectEvent.info(object, reason, message)));
    }

    /** Posts an event of the type {@code Warning} about the object being handled. */
    public static void warn(String reason, String message) {
        post(ObjectEvent.warning(CurrentHandlerContext.subject(), reason, message));
    }

    /** Posts such an event about each of the objects. */
    public static void warn(Object objects, String reason, String message) {
        OwnerIdentity.references(objects).forEach(object -> post(ObjectEvent.warning(object, reason, message)));
    }

    /** Posts an event of the type {@code Error} about the object being handled: its reason is the exception's class. */
    public static void exception(Throwable exception) {
        post(ObjectEvent.exception(CurrentHandlerContext.subject(), "", "", exception));
    }

    /** Posts such an event about each of the objects. */
    public static void exception(Object objects, Throwable exception) {
        exception(objects, "", "", exception);
    }

    /**
     * Posts an event of the type {@code Error} about each of the objects.
     *
     * @param reason a word for machines; empty for the exception's class
     * @param message a sentence, which the exception's text follows; may be empty
     * @param exception the exception; null if there is none
     */
    public static void exception(Object objects, String reason, String message, @Nullable Throwable exception) {
        OwnerIdentity.references(objects)
                .forEach(object -> post(ObjectEvent.exception(object, reason, message, exception)));
    }

    private static void post(ObjectEvent event) {
        CurrentHandlerContext.events().post(event);
    }

    /**
     * Returns an action that does the same in another thread: these functions know the object being handled there, too.
     * Outside of handlers it returns the action itself.
     */
    public static Runnable wrap(Runnable action) {
        return CurrentHandlerContext.withCurrentContext(action);
    }

    /** The same for an action with a result. */
    public static <T extends @Nullable Object> Callable<T> wrap(Callable<T> action) {
        return CurrentHandlerContext.withCurrentContext(action);
    }

    private static void changeEach(Object objects, Consumer<Map<String, @Nullable Object>> change) {
        MetadataAccess.in(objects).forEach(metadataAccess -> metadataAccess.changeMetadata(change));
    }

    private static OwnerIdentity handled(String wayOutside) {
        return CurrentHandlerContext.owner(wayOutside);
    }

    private static String nameOf(OwnerIdentity ownerIdentity) {
        if (ownerIdentity.name() == null) {
            throw new IllegalArgumentException("the owner has no name to name the objects after: " + ownerIdentity);
        }
        return ownerIdentity.name();
    }

    private static HierarchyOptions defaults() {
        return new HierarchyOptions();
    }

    private static HierarchyOptions chosen(Consumer<? super HierarchyOptions> options) {
        HierarchyOptions chosen = new HierarchyOptions();
        options.accept(chosen);
        return chosen;
    }
}
