package dev.kopf4j;

import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** In which way a {@link ResourceSelector} names its resources. Immutable. */
sealed interface ResourceNaming {
    /** True if the resource is meant, as far as group and version allow it. */
    boolean matches(Resource resource);

    /** True if one resource is named, rather than a class of them. */
    boolean isSpecific();

    /** What a name is compared with. */
    enum Attribute {
        /** Plural name, singular name, kind or short name. */
        ANY_NAME,
        KIND,
        PLURAL,
        SINGULAR,
        SHORT_NAME,
        CATEGORY
    }

    /** By a name, or by {@link ResourceSelector#EVERYTHING}. */
    record Named(Attribute attribute, String name) implements ResourceNaming {
        public Named {
            if (name.isEmpty()) {
                throw new HandlerDeclarationException(
                        "a resource name is empty; name the resource, as in \"kopfexamples\"");
            }
        }

        @Override
        public boolean matches(Resource resource) {
            return switch (attribute) {
                case ANY_NAME -> name.equals(ResourceSelector.EVERYTHING) ? !isEvents(resource) : isAnyNameOf(resource);
                case KIND -> name.equals(resource.kind());
                case PLURAL -> name.equals(resource.plural());
                case SINGULAR -> name.equals(resource.singular());
                case SHORT_NAME -> resource.shortNames().contains(name);
                case CATEGORY -> resource.categories().contains(name);
            };
        }

        private boolean isAnyNameOf(Resource resource) {
            return name.equals(resource.kind())
                    || name.equals(resource.plural())
                    || name.equals(resource.singular())
                    || resource.shortNames().contains(name);
        }

        @Override
        public boolean isSpecific() {
            return attribute != Attribute.CATEGORY && !name.equals(ResourceSelector.EVERYTHING);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** By a test of the user's own. */
    record Tested(Predicate<? super Resource> test) implements ResourceNaming {
        private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");

        /** A resource that makes the test fail is not meant: it may have come long after the start. */
        @Override
        public boolean matches(Resource resource) {
            try {
                return !isEvents(resource) && test.test(resource);
            } catch (RuntimeException e) {
                log.warn("A handler's test of resources has failed, and leaves out {}: {}", resource, e.toString());
                return false;
            }
        }

        @Override
        public boolean isSpecific() {
            return false;
        }

        @Override
        public String toString() {
            return "(predicate)";
        }
    }

    /** By a model class; resolved when the operator is built. */
    record Modelled(Class<?> model) implements ResourceNaming {
        @Override
        public boolean matches(Resource resource) {
            throw new IllegalStateException("which resource " + model.getName()
                    + " stands for is known to an operator that was built, not to the selector itself");
        }

        @Override
        public boolean isSpecific() {
            return true;
        }

        @Override
        public String toString() {
            return model.getName();
        }
    }

    private static boolean isEvents(Resource resource) {
        boolean core = resource.group().isEmpty() && resource.version().equals("v1");
        boolean modern = resource.group().equals("events.k8s.io") && resource.preferred();
        return resource.plural().equals("events") && (core || modern);
    }
}
